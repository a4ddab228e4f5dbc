# Built in one image, run from another: no compiler, no pip cache and no root in what runs.
FROM python:3.13-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
RUN python -m venv /srv/couvert/.venv
COPY requirements.lock /tmp/requirements.lock
RUN /srv/couvert/.venv/bin/pip install --no-cache-dir --require-hashes -r /tmp/requirements.lock
WORKDIR /srv/couvert
COPY . .
RUN .venv/bin/python -m bin.messages compile
# The keys are for this one command; the image holds none.
RUN SECRET_KEY=only-to-collect-the-static-files VAR_DIR=/srv/couvert/var \
    .venv/bin/python manage.py collectstatic --noinput --verbosity 0

FROM python:3.13-slim-bookworm
RUN useradd --system --create-home --uid 10001 couvert
WORKDIR /srv/couvert
COPY --from=build --chown=couvert:couvert /srv/couvert /srv/couvert
USER couvert
ENV PATH=/srv/couvert/.venv/bin:$PATH PYTHONUNBUFFERED=1 WEB_HOST=0.0.0.0
EXPOSE 8000
# One process of the Procfile: web, worker or beat.
ENTRYPOINT ["bin/process"]
CMD ["web"]
