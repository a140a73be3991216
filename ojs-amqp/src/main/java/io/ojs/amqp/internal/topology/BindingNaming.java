package io.ojs.amqp.internal.topology;

import io.ojs.amqp.OjsNaming;

/**
 * The names of the AMQP binding document, such as {@code ojs.exchange.direct} and
 * {@code ojs.queue.email}. The default.
 *
 * @param prefix begins every name and ends with its own separator, as in
 * {@code "tenant1."}; may be empty
 */
public record BindingNaming(String prefix) implements OjsNaming {

	@Override
	public String directExchange() {
		return this.prefix + "ojs.exchange.direct";
	}

	@Override
	public String deadLetterExchange() {
		return this.prefix + "ojs.exchange.dlx";
	}

	@Override
	public String retryExchange() {
		return this.prefix + "ojs.exchange.retry";
	}

	@Override
	public String jobQueue(String queue) {
		return this.prefix + "ojs.queue." + queue;
	}

	@Override
	public String deadLetterQueue(String queue) {
		return this.prefix + "ojs.queue.dlx." + queue;
	}

	@Override
	public String retryQueue(String queue, long widthMillis) {
		return this.prefix + "ojs.queue.retry." + queue + "." + widthMillis;
	}

	@Override
	public String delayExchange(int level) {
		return this.prefix + "ojs.exchange.delay." + level;
	}

	@Override
	public String delayQueue(int level) {
		return this.prefix + "ojs.queue.delay." + level;
	}

	@Override
	public String delayedExchange() {
		return this.prefix + "ojs.exchange.delayed";
	}

	@Override
	public String dueExchange() {
		return this.prefix + "ojs.exchange.due";
	}

	@Override
	public String undecodableQueue(String queue) {
		return this.prefix + "ojs.queue.undecodable._" + queue;
	}

	@Override
	public String controlQueue(String queue) {
		return this.prefix + "ojs.queue.control." + queue;
	}

	@Override
	public String controlExchange() {
		return this.prefix + "ojs.exchange.control";
	}

	@Override
	public String workerQueue(String workerId) {
		return this.prefix + "ojs.queue.worker._" + workerId;
	}

}
