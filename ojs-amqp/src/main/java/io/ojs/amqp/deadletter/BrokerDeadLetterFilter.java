package io.ojs.amqp.deadletter;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Selects dead letters. A condition that is {@code null} does not apply. A dead letter
 * that lacks the value of a condition does not match.
 *
 * @param id id of the job
 * @param type type of the job, exact or a prefix ending in {@code .*}
 * @param errorType class or dotted name of the error, exact or a prefix ending in
 * {@code .*}
 * @param errorCode code of the error, exact or a prefix ending in {@code .*}
 * @param stackHash hash that failures at the same place in the code have in common
 * @param deadSince died at this time or later
 * @param deadBefore died before this time
 * @param tenant tenant of the job, exact
 */
public record BrokerDeadLetterFilter(@Nullable String id, @Nullable String type, @Nullable String errorType,
		@Nullable String errorCode, @Nullable String stackHash, @Nullable Instant deadSince,
		@Nullable Instant deadBefore, @Nullable String tenant) {

	/** Matches every dead letter. */
	public static final BrokerDeadLetterFilter ANY = new BrokerDeadLetterFilter(null, null, null, null, null, null,
			null, null);

	/**
	 * Selects only the job with an id.
	 * @param value the id, in either case
	 * @return a filter with this condition too
	 */
	public BrokerDeadLetterFilter id(String value) {
		return new BrokerDeadLetterFilter(value, this.type, this.errorType, this.errorCode, this.stackHash,
				this.deadSince, this.deadBefore, this.tenant);
	}

	/**
	 * Selects only jobs of a type.
	 * @param value the type, or a prefix ending in {@code .*}
	 * @return a filter with this condition too
	 */
	public BrokerDeadLetterFilter type(String value) {
		return new BrokerDeadLetterFilter(this.id, value, this.errorType, this.errorCode, this.stackHash,
				this.deadSince, this.deadBefore, this.tenant);
	}

	/**
	 * Selects only errors of a type.
	 * @param value the class or dotted name, or a prefix ending in {@code .*}
	 * @return a filter with this condition too
	 */
	public BrokerDeadLetterFilter errorType(String value) {
		return new BrokerDeadLetterFilter(this.id, this.type, value, this.errorCode, this.stackHash, this.deadSince,
				this.deadBefore, this.tenant);
	}

	/**
	 * Selects only errors with a code.
	 * @param value the code, or a prefix ending in {@code .*}
	 * @return a filter with this condition too
	 */
	public BrokerDeadLetterFilter errorCode(String value) {
		return new BrokerDeadLetterFilter(this.id, this.type, this.errorType, value, this.stackHash, this.deadSince,
				this.deadBefore, this.tenant);
	}

	/**
	 * Selects only failures at one place in the code.
	 * @param value 16 hexadecimal digits
	 * @return a filter with this condition too
	 */
	public BrokerDeadLetterFilter stackHash(String value) {
		return new BrokerDeadLetterFilter(this.id, this.type, this.errorType, this.errorCode, value, this.deadSince,
				this.deadBefore, this.tenant);
	}

	/**
	 * Selects only jobs that died at a time or later.
	 * @param value the time
	 * @return a filter with this condition too
	 */
	public BrokerDeadLetterFilter deadSince(Instant value) {
		return new BrokerDeadLetterFilter(this.id, this.type, this.errorType, this.errorCode, this.stackHash, value,
				this.deadBefore, this.tenant);
	}

	/**
	 * Selects only jobs that died before a time.
	 * @param value the time
	 * @return a filter with this condition too
	 */
	public BrokerDeadLetterFilter deadBefore(Instant value) {
		return new BrokerDeadLetterFilter(this.id, this.type, this.errorType, this.errorCode, this.stackHash,
				this.deadSince, value, this.tenant);
	}

	/**
	 * Selects only jobs of a tenant.
	 * @param value the id of the tenant
	 * @return a filter with this condition too
	 */
	public BrokerDeadLetterFilter tenant(String value) {
		return new BrokerDeadLetterFilter(this.id, this.type, this.errorType, this.errorCode, this.stackHash,
				this.deadSince, this.deadBefore, value);
	}

}
