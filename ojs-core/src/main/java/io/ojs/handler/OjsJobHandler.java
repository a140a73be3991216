package io.ojs.handler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean as the handler of jobs of a type. The elements of {@code args}
 * become its parameters, in order; a {@link JobContext} or the {@link io.ojs.job.Job}
 * itself may stand anywhere among them. The return value is the result of the job; an
 * exception fails the attempt.
 *
 * <pre>
 * &#64;OjsJobHandler("email.send")
 * void send(String to, String template) { … }
 * </pre>
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OjsJobHandler {

	/**
	 * The type of the jobs. An application has one handler for a type, or several for
	 * different {@link #versions}.
	 * @return such as {@code email.send}; may contain <code>${…}</code> placeholders
	 */
	String value();

	/**
	 * The queue of the jobs. This application works the queue, and enqueues jobs of this
	 * type to it unless a request names another queue.
	 * @return the name; {@code default} if empty; may contain <code>${…}</code>
	 * placeholders
	 */
	String queue() default "";

	/**
	 * The versions of the jobs. A job without a version fits any range. If no handler
	 * takes the version of a job, this process leaves the job to other processes.
	 * @return {@code *} for all; a version such as {@code 2.0}; or bounds such as
	 * {@code >=1.0 <3.0}; may contain <code>${…}</code> placeholders
	 * @see io.ojs.job.VersionRange#parse
	 */
	String versions() default "*";

	/**
	 * How many jobs of the queue this process runs at a time, unless the property
	 * {@code ojs.queues.<name>.concurrency} is set. If several handlers of a queue set
	 * it, the largest value counts.
	 * @return 1 or more; 0 for the default of the queue
	 */
	int concurrency() default 0;

	/**
	 * How long an attempt may take, unless the job has a timeout of its own. After that
	 * time the worker interrupts the handler's thread, and the attempt has failed with a
	 * {@code timeout}.
	 * @return such as {@code 90s} or {@code PT1M30S}; the default of the queue if empty;
	 * may contain <code>${…}</code> placeholders
	 */
	String timeout() default "";

	/**
	 * The settings that differ from the retry policy of the queue.
	 * @return the settings
	 */
	OjsRetry retry() default @OjsRetry;

}
