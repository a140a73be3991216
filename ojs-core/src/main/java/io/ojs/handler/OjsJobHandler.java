package io.ojs.handler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a bean's method as the one that works jobs of a type. The job's {@code args} are
 * its parameters, in order; a {@link JobContext} or the {@link io.ojs.job.Job} itself may
 * stand anywhere among them. What it returns is the job's result; what it throws is a
 * failed attempt.
 *
 * <pre>{@code
 * &#64;OjsJobHandler("email.send")
 * void send(String to, String template) { … }
 * }</pre>
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OjsJobHandler {

	/**
	 * The type of the jobs. One application has one handler for a type, or several for
	 * different {@link #versions}.
	 * @return such as {@code email.send}; may contain <code>${…}</code> placeholders
	 */
	String value();

	/**
	 * The queue that these jobs wait in: this application works it, and enqueues jobs of
	 * this type to it unless the request names another.
	 * @return a queue; {@code default} if empty; may contain <code>${…}</code>
	 * placeholders
	 */
	String queue() default "";

	/**
	 * The versions of the jobs; those without one count as any. A job of a version that
	 * no handler takes is left to other processes.
	 * @return {@code *} for all; a version such as {@code 2.0}; or bounds such as
	 * {@code >=1.0 <3.0}; may contain <code>${…}</code> placeholders
	 * @see io.ojs.job.VersionRange#parse
	 */
	String versions() default "*";

	/**
	 * How many jobs of the queue this process works at a time, unless
	 * {@code ojs.queues.<name>.concurrency} says it. Of several handlers of one queue the
	 * largest counts.
	 * @return 1 or more; 0 for the default of the queue
	 */
	int concurrency() default 0;

	/**
	 * How long an attempt may take, unless the job says it. Then its thread is
	 * interrupted, and the attempt has failed with a {@code timeout}.
	 * @return such as {@code 90s} or {@code PT1M30S}; the default of the queue if empty;
	 * may contain <code>${…}</code> placeholders
	 */
	String timeout() default "";

	/**
	 * What differs from the retry policy of the queue.
	 * @return the differences
	 */
	OjsRetry retry() default @OjsRetry;

}
