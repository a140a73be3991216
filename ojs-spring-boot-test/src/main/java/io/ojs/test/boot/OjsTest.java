package io.ojs.test.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.ojs.test.jobs.SettableClock;
import io.ojs.test.jobs.TestJobs;
import io.ojs.test.jobs.TestMode;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of jobs, without a broker and a database: loads handlers, listeners to jobs, and
 * what is around them such as middleware, and no other component of the application.
 * {@link TestJobs} keeps what is enqueued, and runs it by a {@link SettableClock}. Before
 * each test method there are no jobs, and the clock is at the present.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(OjsTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(OjsTypeExcludeFilter.class)
@AutoConfigureOjsTest
@ImportAutoConfiguration
public @interface OjsTest {

	/**
	 * Properties of the test, {@code key=value}.
	 * @return properties that are added to the environment
	 */
	String[] properties() default {};

	/**
	 * What becomes of a job that is enqueued.
	 * @return kept until the test has it run, or run at once
	 */
	@AliasFor(annotation = AutoConfigureOjsTest.class, attribute = "mode")
	TestMode mode() default TestMode.FAKE;

	/**
	 * The components with handlers, crons or listeners that are loaded, as
	 * {@link #handlers()}.
	 * @return classes; none for all of the application
	 */
	@AliasFor("handlers")
	Class<?>[] value() default {};

	/**
	 * The components with handlers, crons or listeners that are loaded. What is around
	 * handlers, such as middleware, is loaded in any case. A class that is no bean then
	 * ends the test.
	 * @return classes; none for all of the application
	 */
	@AliasFor("value")
	@PropertyMapping(OjsTestImportFilter.HANDLERS)
	Class<?>[] handlers() default {};

	/**
	 * Whether anything is loaded that is not among {@link #includeFilters()}.
	 * @return whether the default filters are used
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Which other components are loaded.
	 * @return filters
	 */
	ComponentScan.Filter[] includeFilters() default {};

	/**
	 * Which components are not loaded.
	 * @return filters
	 */
	ComponentScan.Filter[] excludeFilters() default {};

	/**
	 * Auto-configuration that is left out.
	 * @return classes
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
