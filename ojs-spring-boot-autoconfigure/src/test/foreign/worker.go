// Works an OJS queue with amqp091-go: worker AMQP-URI QUEUE
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

type job struct {
	ID   string        `json:"id"`
	Args []interface{} `json:"args"`
}

// handle does the work. An error has the job tried again, or makes it a dead letter.
func handle(job job, attempt int) error {
	what := job.Args[0]
	if what == "broken" || (what == "flaky" && attempt == 1) {
		return fmt.Errorf("no luck with %v", what)
	}
	fmt.Println("done", job.ID, attempt)
	return nil
}

type worker struct {
	channel   *amqp.Channel
	returned  chan amqp.Return
	confirmed chan amqp.Confirmation
	queue     string
}

func (w *worker) delivered(d amqp.Delivery) error {
	attempt := number(d.Headers["x-ojs-attempt"], 1)
	var job job
	err := json.Unmarshal(d.Body, &job)
	if err == nil {
		err = handle(job, attempt)
	}
	if err != nil {
		if err := w.failed(d, attempt, err); err != nil {
			return err
		}
	}
	// Last: what is not acked is delivered again, and nothing is lost.
	return d.Ack(false)
}

func (w *worker) failed(d amqp.Delivery, attempt int, failure error) error {
	if d.Headers == nil {
		d.Headers = amqp.Table{}
	}
	now := time.Now().UTC().Format(time.RFC3339Nano)
	d.Headers["x-ojs-error-type"] = fmt.Sprintf("%T", failure)
	d.Headers["x-ojs-error-code"] = "HANDLER_ERROR"
	d.Headers["x-ojs-error-message"] = failure.Error()
	d.Headers["x-ojs-error-at"] = now
	if d.Headers["x-ojs-error-first-at"] == nil {
		d.Headers["x-ojs-error-first-at"] = now
	}
	if attempt >= number(d.Headers["x-ojs-max-attempts"], 3) {
		return w.publish("ojs.exchange.dlx", w.queue, d, "")
	}
	d.Headers["x-ojs-attempt"] = int32(attempt + 1)
	millis := 256000
	if attempt < 10 {
		millis = 500 << (attempt - 1)
	}
	return w.retry(d, millis)
}

// retry has the message wait in a retry queue, from where it expires into the job queue.
func (w *worker) retry(d amqp.Delivery, millis int) error {
	name := fmt.Sprintf("ojs.queue.retry.%s.%d", w.queue, millis)
	key := fmt.Sprintf("%s.%d", w.queue, millis)
	_, err := w.channel.QueueDeclare(name, true, false, false, false, amqp.Table{
		"x-queue-type":              "quorum",
		"x-dead-letter-exchange":    "ojs.exchange.direct",
		"x-dead-letter-routing-key": w.queue,
		"x-dead-letter-strategy":    "at-least-once",
		"x-overflow":                "reject-publish",
		"x-message-ttl":             int32(millis),
	})
	if err != nil {
		return err
	}
	if err := w.channel.QueueBind(name, key, "ojs.exchange.retry", false, nil); err != nil {
		return err
	}
	return w.publish("ojs.exchange.retry", key, d, fmt.Sprint(millis))
}

// publish returns when the broker has confirmed it, with an error if it did not, or returned it.
func (w *worker) publish(exchange, key string, d amqp.Delivery, expiration string) error {
	for _, name := range []string{"x-death", "x-first-death-exchange", "x-first-death-queue", "x-first-death-reason",
		"x-last-death-exchange", "x-last-death-queue", "x-last-death-reason", "x-delivery-count"} {
		delete(d.Headers, name)
	}
	// One is under way at a time. The deferred confirms of version 1.5, which Debian 12 has, may wait for ever.
	err := w.channel.PublishWithContext(context.Background(), exchange, key, true, false,
		amqp.Publishing{
			Headers: d.Headers, ContentType: d.ContentType, ContentEncoding: d.ContentEncoding,
			DeliveryMode: amqp.Persistent, Priority: d.Priority, CorrelationId: d.CorrelationId,
			Expiration: expiration, MessageId: d.MessageId, Timestamp: d.Timestamp, Type: d.Type, AppId: d.AppId,
			Body: d.Body,
		})
	if err != nil {
		return err
	}
	if confirmation := <-w.confirmed; !confirmation.Ack {
		return fmt.Errorf("%s was not confirmed", d.MessageId)
	}
	select {
	case back := <-w.returned:
		return fmt.Errorf("%s was returned: %s", back.MessageId, back.ReplyText)
	default:
		return nil
	}
}

func number(header interface{}, otherwise int) int {
	switch value := header.(type) {
	case int16:
		return int(value)
	case int32:
		return int(value)
	case int64:
		return int(value)
	}
	return otherwise
}

func main() {
	connection, err := amqp.Dial(os.Args[1])
	check(err)
	channel, err := connection.Channel()
	check(err)
	check(channel.Confirm(false))
	check(channel.Qos(1, 0, false))
	w := &worker{channel, channel.NotifyReturn(make(chan amqp.Return, 1)),
		channel.NotifyPublish(make(chan amqp.Confirmation, 1)), os.Args[2]}
	deliveries, err := channel.Consume("ojs.queue."+w.queue, "", false, false, false, false, nil)
	check(err)
	fmt.Println("working")
	for d := range deliveries {
		check(w.delivered(d))
	}
	log.Fatal("the connection is closed")
}

// check ends the process. A supervisor starts it again, and the broker delivers again.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
