package io.ojs.handler;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.ojs.retry.BackoffStrategy;
import io.ojs.retry.OnExhaustion;

/**
 * The settings of a handler that override the retry policy of its queue. Settings that
 * are not given come from the queue. See {@link io.ojs.retry.RetryPolicy} for their
 * meaning.
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OjsRetry {

	/**
	 * Executions in all.
	 * @return 1 or more; negative for the value of the queue
	 */
	int maxAttempts() default -1;

	/**
	 * Delay before the first retry.
	 * @return such as {@code 5s} or {@code PT5S}
	 */
	String initialInterval() default "";

	/**
	 * How fast delays grow.
	 * @return 1.0 or more; negative for the value of the queue
	 */
	double backoffCoefficient() default -1;

	/**
	 * The longest delay.
	 * @return such as {@code 10m} or {@code PT10M}
	 */
	String maxInterval() default "";

	/**
	 * Whether delays have jitter.
	 * @return one value, or none
	 */
	boolean[] jitter() default {};

	/**
	 * Error types that are not retried: class names, or prefixes ending in {@code .*}.
	 * @return the types
	 */
	String[] nonRetryableErrors() default {};

	/**
	 * What happens to a job after its last attempt has failed.
	 * @return one value, or none
	 */
	OnExhaustion[] onExhaustion() default {};

	/**
	 * How delays grow.
	 * @return one value, or none
	 */
	BackoffStrategy[] backoffStrategy() default {};

}
