package io.ojs.cron;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a cron that enqueues jobs for the annotated method, which also needs
 * {@link io.ojs.handler.OjsJobHandler}. All text may contain <code>${…}</code>
 * placeholders.
 *
 * <pre>
 * &#64;OjsJobHandler("pictures.clean")
 * &#64;OjsCron(name = "pictures-clean", expression = "0 3 * * *", zone = "Europe/Berlin")
 * void clean() { … }
 * </pre>
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OjsCron {

	/**
	 * The name of the cron.
	 * @return lower-case letters, digits, {@code .} and {@code -}
	 */
	String name();

	/**
	 * When the cron fires.
	 * @return five fields, or six with seconds first, or a macro such as {@code @daily},
	 * or {@code @every 1h30m}
	 */
	String expression();

	/**
	 * The time zone of the expression.
	 * @return the name of the zone, such as {@code Europe/Berlin}
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
	 * @return the id of the tenant; no tenant if empty
	 */
	String tenant() default "";

	/**
	 * What happens to a run if a job of an earlier one has not ended.
	 * @return the policy
	 */
	OverlapPolicy overlap() default OverlapPolicy.SKIP;

	/**
	 * Whether the cron fires.
	 * @return {@code true} or {@code false}
	 */
	String enabled() default "true";

	/**
	 * A description for people.
	 * @return a sentence
	 */
	String description() default "";

}
