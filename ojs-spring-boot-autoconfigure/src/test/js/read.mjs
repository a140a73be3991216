// read.mjs URI QUEUE
//
// Takes one message and prints it as JSON: where it was published to, what properties and headers
// it has, and its body.
import amqp from 'amqplib';

const [uri, queue] = process.argv.slice(2);
const connection = await amqp.connect(uri);
const channel = await connection.createChannel();
const message = await channel.get(queue, { noAck: true });
if (!message) {
  console.error(`no message in ${queue}`);
  process.exit(1);
}
const { headers, ...properties } = message.properties;
for (const name of Object.keys(properties)) {
  if (properties[name] === undefined) {
    delete properties[name];
  }
}
console.log(
  JSON.stringify({
    exchange: message.fields.exchange,
    routingKey: message.fields.routingKey,
    properties,
    headers,
    body: JSON.parse(message.content.toString('utf8')),
  }),
);
await connection.close();
