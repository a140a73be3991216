package io.ojs.amqp.internal.topology;

import io.ojs.amqp.OjsNaming;

/**
 * The names of the AMQP guide, such as {@code ojs.direct} and {@code ojs.dead.email}, for
 * applications that already have queues with these names.
 *
 * @param prefix begins every name and ends with its own separator, as in
 * {@code "tenant1."}; may be empty
 */
public record GuideNaming(String prefix) implements OjsNaming {

	@Override
	public String directExchange() {
		return this.prefix + "ojs.direct";
	}

	@Override
	public String deadLetterExchange() {
		return this.prefix + "ojs.dlx";
	}

	@Override
	public String retryExchange() {
		return this.prefix + "ojs.retry";
	}

	@Override
	public String jobQueue(String queue) {
		return this.prefix + "ojs.queue." + queue;
	}

	@Override
	public String deadLetterQueue(String queue) {
		return this.prefix + "ojs.dead." + queue;
	}

	@Override
	public String retryQueue(String queue, long widthMillis) {
		return this.prefix + "ojs.retry." + queue + "." + widthMillis;
	}

	@Override
	public String delayExchange(int level) {
		return this.prefix + "ojs.delay." + level;
	}

	@Override
	public String delayQueue(int level) {
		return this.prefix + "ojs.delay." + level;
	}

	@Override
	public String delayedExchange() {
		return this.prefix + "ojs.delayed";
	}

	@Override
	public String dueExchange() {
		return this.prefix + "ojs.due";
	}

	@Override
	public String undecodableQueue(String queue) {
		return this.prefix + "ojs.undecodable._" + queue;
	}

	@Override
	public String controlQueue(String queue) {
		return this.prefix + "ojs.control." + queue;
	}

	@Override
	public String controlExchange() {
		return this.prefix + "ojs.control";
	}

	@Override
	public String workerQueue(String workerId) {
		return this.prefix + "ojs.worker._" + workerId;
	}

}
