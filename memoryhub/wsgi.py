"""The web server's entry point."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

application = get_wsgi_application()

from memoryhub.startup import require_safe_start, warm_up  # noqa: E402  (needs the apps)

require_safe_start()
warm_up()
