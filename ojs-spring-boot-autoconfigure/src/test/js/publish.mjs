// publish.mjs URI [declare]
//
// Publishes the job of AMQP binding example 15.1, with or without declaring the topology as
// the example does, and prints its id.
import amqp from 'amqplib';
import { randomBytes } from 'node:crypto';

const [uri, declare] = process.argv.slice(2);

function uuid7() {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const connection = await amqp.connect(uri);
const channel = await connection.createConfirmChannel();
if (declare) {
  await channel.assertExchange('ojs.exchange.direct', 'direct', { durable: true });
  await channel.assertExchange('ojs.exchange.dlx', 'direct', { durable: true });
  await channel.assertQueue('ojs.queue.email', {
    durable: true,
    arguments: {
      'x-dead-letter-exchange': 'ojs.exchange.dlx',
      'x-dead-letter-routing-key': 'email',
      'x-max-priority': 10,
    },
  });
  await channel.bindQueue('ojs.queue.email', 'ojs.exchange.direct', 'email');
}

const id = uuid7();
const job = {
  id,
  type: 'email.send',
  queue: 'email',
  args: ['user@example.com', 'welcome'],
  created_at: new Date().toISOString().replace('Z', '+00:00'),
};
channel.on('return', (message) => {
  console.error(`returned: ${message.fields.replyText}`);
  process.exit(1);
});
channel.publish('ojs.exchange.direct', 'email', Buffer.from(JSON.stringify(job)), {
  mandatory: true,
  messageId: id,
  type: 'email.send',
  contentType: 'application/openjobspec+json',
  contentEncoding: 'utf-8',
  deliveryMode: 2,
  appId: 'ojs',
  timestamp: Math.floor(Date.now() / 1000),
  headers: { 'x-ojs-queue': 'email', 'x-ojs-attempt': 1, 'x-ojs-max-attempts': 5 },
});
await channel.waitForConfirms();
console.log(id);
await connection.close();
