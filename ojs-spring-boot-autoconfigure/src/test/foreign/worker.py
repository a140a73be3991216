#!/usr/bin/python3
"""Works an OJS queue with pika: worker.py AMQP-URI QUEUE"""
import datetime
import json
import sys

import pika

QUEUE = sys.argv[2]


def handle(job, attempt):
    """The work. An exception has the job tried again, or makes it a dead letter."""
    what = job["args"][0]
    if what == "broken" or (what == "flaky" and attempt == 1):
        raise RuntimeError(f"no luck with {what}")
    print("done", job["id"], attempt, flush=True)


def delivered(channel, method, properties, body):
    headers = dict(properties.headers or {})
    attempt = headers.get("x-ojs-attempt", 1)
    try:
        handle(json.loads(body), attempt)
    except Exception as error:
        now = datetime.datetime.now(datetime.timezone.utc).isoformat()
        headers["x-ojs-error-type"] = type(error).__name__
        headers["x-ojs-error-code"] = "HANDLER_ERROR"
        headers["x-ojs-error-message"] = str(error)[:1000]
        headers["x-ojs-error-at"] = now
        headers.setdefault("x-ojs-error-first-at", now)
        if attempt < headers.get("x-ojs-max-attempts", 3):
            headers["x-ojs-attempt"] = attempt + 1
            retry(channel, properties, headers, body, 500 * 2 ** (attempt - 1))
        else:
            publish(channel, "ojs.exchange.dlx", QUEUE, properties, headers, body, None)
    # Last: what is not acked is delivered again, and nothing is lost.
    channel.basic_ack(method.delivery_tag)


def retry(channel, properties, headers, body, millis):
    """Has the message wait in a retry queue, from where it expires into the job queue."""
    millis = min(millis, 256000)
    name = f"ojs.queue.retry.{QUEUE}.{millis}"
    channel.queue_declare(name, durable=True, arguments={
        "x-queue-type": "quorum",
        "x-dead-letter-exchange": "ojs.exchange.direct",
        "x-dead-letter-routing-key": QUEUE,
        "x-dead-letter-strategy": "at-least-once",
        "x-overflow": "reject-publish",
        "x-message-ttl": millis,
    })
    channel.queue_bind(name, "ojs.exchange.retry", f"{QUEUE}.{millis}")
    publish(channel, "ojs.exchange.retry", f"{QUEUE}.{millis}", properties, headers, body, str(millis))


def publish(channel, exchange, key, properties, headers, body, expiration):
    """Returns when the broker has confirmed it, and raises if it did not, or returned it."""
    for name in ("x-death", "x-first-death-exchange", "x-first-death-queue", "x-first-death-reason",
                 "x-last-death-exchange", "x-last-death-queue", "x-last-death-reason", "x-delivery-count"):
        headers.pop(name, None)
    properties.headers = headers
    properties.delivery_mode = 2
    properties.expiration = expiration
    channel.basic_publish(exchange, key, body, properties, mandatory=True)


connection = pika.BlockingConnection(pika.URLParameters(sys.argv[1]))
channel = connection.channel()
channel.confirm_delivery()
channel.basic_qos(prefetch_count=1)
channel.basic_consume(f"ojs.queue.{QUEUE}", delivered)
print("working", flush=True)
channel.start_consuming()
