package io.ojs.benchmark.contender;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * The client of RabbitMQ with messages of this project that were made beforehand. So it
 * shows what client and broker take for the envelope and the headers of the AMQP binding,
 * whatever makes and reads them.
 */
final class RawOjsContender extends RawContender {

	private final OjsMessage message = new OjsMessage();

	RawOjsContender(Site site) throws Exception {
		super(site);
	}

	@Override
	byte[] body(Payload job) {
		return this.message.body(job.sentAt());
	}

	@Override
	long sentAt(byte[] body) {
		return this.message.sentAt(body);
	}

	@Override
	BasicProperties properties() {
		return this.message.properties();
	}

}
