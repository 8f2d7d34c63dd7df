"""Settings: read from the environment through helpers that fail loudly (memoryhub.env)."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from memoryhub import env
from tenants import valkey

# Whichever model is loaded first reads this: threads that spin while they wait for each other make
# every text many times slower on few cores.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.data_dir()

# --- Safety -------------------------------------------------------------------------------------
SECRET_KEY = env.secret("MEMORYHUB_SECRET_KEY")
# Wraps every subject's data key. The first key encrypts, the others still open what they wrapped.
FIELD_ENCRYPTION_KEY = env.listing("MEMORYHUB_FIELD_ENCRYPTION_KEY")
DEBUG = False
ALLOWED_HOSTS = env.listing("MEMORYHUB_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.listing("MEMORYHUB_TRUSTED_ORIGINS", "")
# On when people reach the service through TLS; off for plain loopback use.
HTTPS = env.flag("MEMORYHUB_HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)/?$"]
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE, LANGUAGE_COOKIE_SECURE = True, "Lax", HTTPS
SESSION_COOKIE_AGE = int(timedelta(days=7).total_seconds())
CSRF_FAILURE_VIEW = "memoryhub.errors.csrf_failure"
METRICS_TOKEN = env.text("MEMORYHUB_METRICS_TOKEN", "")
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# --- Limits (each is tested) --------------------------------------------------------------------
MAX_BODY_BYTES = env.integer("MEMORYHUB_MAX_BODY_BYTES", 4 * 1024 * 1024)
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
MAX_JSON_DEPTH = 20
RATE_LIMIT = env.text("MEMORYHUB_RATE_LIMIT", "6000/minute")
FAILED_SIGN_IN_LIMIT = env.text("MEMORYHUB_FAILED_SIGN_IN_LIMIT", "30/minute")

# --- Application --------------------------------------------------------------------------------
INSTALLED_APPS = [
    "memoryhub.apps.MemoryHubConfig",
    "tenants",
    "ledger",
    "recall",
    "memoryhub.apps.ConsoleConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
]
MIDDLEWARE = [
    "memoryhub.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "memoryhub.urls"
APPEND_SLASH = False
WSGI_APPLICATION = "memoryhub.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- Stores -------------------------------------------------------------------------------------
# `default` is the application role that the wall binds. `owner` exists only where its address is
# given; nothing but `migrate --database owner` uses it.
DATABASES: dict[str, Any] = {
    "default": env.database(env.text("MEMORYHUB_DATABASE_URL")),
}
DATABASES["default"]["OPTIONS"] |= {
    "pool": {"min_size": 1, "max_size": 12, "timeout": 10},
    # How often a connection sees a statement by hand (tenants.statements) before it prepares it.
    "prepare_threshold": 3 if env.flag("MEMORYHUB_PREPARED_STATEMENTS", default=True) else None,
}
if owner_url := env.text("MEMORYHUB_OWNER_DATABASE_URL", ""):
    DATABASES["owner"] = env.database(owner_url, name="MEMORYHUB_OWNER_DATABASE_URL")
DATABASE_ROUTERS = ["memoryhub.database_router.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.url("MEMORYHUB_REDIS_URL", ("redis", "rediss"))
CACHES = {
    "default": {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "memoryhub",
        "OPTIONS": {
            "SOCKET_CONNECT_TIMEOUT": 3,
            "SOCKET_TIMEOUT": 3,
            "CONNECTION_POOL_KWARGS": {"connection_class": valkey.connection_class(REDIS_URL)},
        },
    }
}

CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "global_keyprefix": "memoryhub-queue:",
    "socket_connect_timeout": 3,
    "socket_timeout": 10,
    # A nudge may be lost; the request that sends it must not wait for a broker that is away.
    "max_retries": 1,
    "interval_start": 0,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "index-what-was-missed": {"task": "recall.tasks.sweep_unindexed", "schedule": 60.0},
    "end-what-is-due": {"task": "ledger.tasks.apply_retention", "schedule": 600.0},
    "do-what-was-missed": {"task": "ledger.tasks.sweep_jobs", "schedule": 60.0},
    "reflect": {"task": "ledger.tasks.reflect_daily", "schedule": 86_400.0},
    "forget-old-turns": {"task": "ledger.tasks.sweep_turns", "schedule": 3600.0},
    "sign-the-heads": {"task": "ledger.tasks.checkpoint_all", "schedule": 3600.0},
    "forget-old-answers": {"task": "ledger.tasks.sweep_answers", "schedule": 3600.0},
    "forget-old-traces": {"task": "recall.tasks.sweep_traces", "schedule": 3600.0},
}

# --- What MemoryHub is made of --------------------------------------------------------------------
# Views derived from the memories; each is a ledger.projection.DerivedView. The ledger does not
# import recall: it finds the search index here.
LEDGER_VIEWS = ["recall.index.SearchIndex"]
# What knows the encoder and the index (ledger.meaning.Meaning).
LEDGER_MEANING = "recall.meaning.IndexMeaning"
# What a subject's archive holds besides its entries and memories (ledger.services.export).
LEDGER_EXPORTERS = {
    "turns": "ledger.said_stores.exported_turns",
    "private": "ledger.said_stores.exported_private",
    "traces": "recall.stores.exported_traces",
    "working": "recall.working_store.exported_working",
}
# Everything that holds something of a subject; each is a ledger.stores.Store. What is not listed
# here would survive an erasure: tests/integration compares the list with the tables. The first
# reads the words that the others forget.
LEDGER_STORES = [
    "ledger.said_stores.Private",
    "ledger.said_stores.Derivations",
    "ledger.said_stores.Said",
    "ledger.stores.Words",
    "ledger.stores.Memories",
    "ledger.stores.Answers",
    "recall.stores.SearchIndexStore",
    "recall.stores.TraceStore",
    "recall.stores.BufferStore",
    "recall.working_store.WorkingStore",
]
# `bundled`, `sentence-transformers:MODEL` or `openai:URL`, where a fragment may name the model.
ENCODER = env.text("MEMORYHUB_ENCODER", "bundled")
EMBEDDING_MODEL = env.text("MEMORYHUB_EMBEDDING_MODEL", "text-embedding-3-small")
EMBEDDING_KEY = env.text("MEMORYHUB_EMBEDDING_KEY", "")
if ENCODER.startswith("openai:") and "#" not in ENCODER:
    # Vectors are kept apart by the encoder's name: another model must be another name.
    ENCODER += f"#{EMBEDDING_MODEL}"
# An OpenAI-compatible endpoint, such as http://localhost:11434/v1; empty: rules do all the work.
LANGUAGE_MODEL_URL = env.text("MEMORYHUB_MODEL_URL", "")
LANGUAGE_MODEL = env.text("MEMORYHUB_MODEL", "")
LANGUAGE_MODEL_KEY = env.text("MEMORYHUB_MODEL_KEY", "")

# --- REST ---------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["tenants.authentication.CredentialAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["tenants.api.parsing.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_THROTTLE_CLASSES": ["tenants.throttling.PrincipalThrottle"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "memoryhub.errors.answer_error",
    "UNAUTHENTICATED_USER": None,
    # X-Forwarded-For is believed only as far as proxies of ours wrote it: a guesser of credentials
    # would otherwise be a new address each time.
    "NUM_PROXIES": env.integer("MEMORYHUB_PROXIES", 0, least=0),
    "URL_FORMAT_OVERRIDE": None,
    "UNICODE_JSON": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "MemoryHub",
    "DESCRIPTION": "A memory service for AI agents: write, recall, and see why.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "DEFAULT_GENERATOR_CLASS": "memoryhub.schema.OneAtATime",
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {"KindEnum": "ledger.models.Kind"},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "memoryhub.schema.describe_errors",
    ],
}

# --- Languages and time -------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Chinese"))]
LOCALE_PATHS = [BASE_DIR / "memoryhub" / "locale"]
USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"

# --- Static files -------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- Logs: JSON lines with the request's id, never content --------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request": {"()": "memoryhub.logs.RequestFilter"},
        "failure": {"()": "memoryhub.logs.FailureFilter"},
    },
    "formatters": {
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{asctime}{levelname}{name}{message}{request_id}",
            "style": "{",
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
        }
    },
    "handlers": {
        "nowhere": {"class": "logging.NullHandler"},
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["request"],
            "formatter": "json",
        },
        "failures": {
            "class": "logging.StreamHandler",
            "filters": ["failure", "request"],
            "formatter": "json",
        },
    },
    "root": {"handlers": ["stderr"], "level": env.text("MEMORYHUB_LOG_LEVEL", "INFO")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # One line a request is written by memoryhub.middleware; Django's own would repeat it with
        # the path, which may name a subject. What was raised and not caught is told here.
        "django.request": {"handlers": ["failures"], "level": "ERROR", "propagate": False},
        "django.server": {"handlers": ["nowhere"], "propagate": False},
    },
}
