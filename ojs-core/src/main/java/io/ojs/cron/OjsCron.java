package io.ojs.cron;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has jobs enqueued, again and again, for the method that it stands on, which is marked
 * with {@link io.ojs.handler.OjsJobHandler} as well. All text may contain
 * <code>${…}</code> placeholders.
 *
 * <pre>{@code
 * &#64;OjsJobHandler("pictures.clean")
 * &#64;OjsCron(name = "pictures-clean", expression = "0 3 * * *", zone = "Europe/Berlin")
 * void clean() { … }
 * }</pre>
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OjsCron {

	/**
	 * By what the cron is known.
	 * @return lower-case letters, digits, {@code .} and {@code -}
	 */
	String name();

	/**
	 * When it fires.
	 * @return five fields, or six with seconds first, or {@code @daily} and its like, or
	 * {@code @every 1h30m}
	 */
	String expression();

	/**
	 * Whose clock the expression is about.
	 * @return such as {@code Europe/Berlin}
	 */
	String zone() default CronRequest.DEFAULT_ZONE;

	/**
	 * The arguments of the jobs.
	 * @return an array as JSON text; no arguments if empty
	 */
	String args() default "";

	/**
	 * The queue of the jobs.
	 * @return a queue; that of the handler if empty
	 */
	String queue() default "";

	/**
	 * The tenant that the jobs belong to.
	 * @return the id of the tenant; nobody if empty
	 */
	String tenant() default "";

	/**
	 * What becomes of a run when a job of an earlier one has not ended.
	 * @return the policy
	 */
	OverlapPolicy overlap() default OverlapPolicy.SKIP;

	/**
	 * Whether it fires.
	 * @return {@code true} or {@code false}
	 */
	String enabled() default "true";

	/**
	 * What it is good for, for people.
	 * @return a sentence
	 */
	String description() default "";

}
