FROM python:3.11-slim-bookworm AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
COPY requirements.txt .
RUN python -m venv /venv && /venv/bin/pip install --require-hashes -r requirements.txt

FROM python:3.11-slim-bookworm
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
RUN useradd --create-home --uid 10001 lab
WORKDIR /app
COPY --from=packages /venv /venv
COPY . .
# Collecting static files needs the class mode's storage, and none of its services: these values are never used again.
RUN LAB_MODE=class LAB_SECRET_KEY=build-only LAB_DATABASE_URL=postgresql:// LAB_REDIS_URL=redis:// \
    python manage.py collectstatic --noinput --verbosity 0
USER 10001
EXPOSE 8000
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0"]
