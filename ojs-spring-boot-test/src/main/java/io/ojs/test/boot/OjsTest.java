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
 * A test of jobs without a broker and a database. It loads handlers, crons, listeners to
 * jobs, and components around jobs such as middleware, and no other component of the
 * application. {@link TestJobs} keeps enqueued jobs and runs them by a
 * {@link SettableClock}. Each test method begins without jobs, and with the clock at the
 * present time.
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
	 * When an enqueued job runs.
	 * @return kept until the test runs it, or run at once
	 */
	@AliasFor(annotation = AutoConfigureOjsTest.class, attribute = "mode")
	TestMode mode() default TestMode.FAKE;

	/**
	 * The components with handlers, crons or listeners to load, as {@link #handlers()}.
	 * @return classes; none for all of the application
	 */
	@AliasFor("handlers")
	Class<?>[] value() default {};

	/**
	 * The components with handlers, crons or listeners to load. Components around
	 * handlers, such as middleware, are always loaded. If there is no bean of a named
	 * class, the test fails.
	 * @return classes; none for all of the application
	 */
	@AliasFor("value")
	@PropertyMapping(OjsTestImportFilter.HANDLERS)
	Class<?>[] handlers() default {};

	/**
	 * Whether the default filters load components beside {@link #includeFilters()}.
	 * @return whether the default filters are used
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Other components to load.
	 * @return filters
	 */
	ComponentScan.Filter[] includeFilters() default {};

	/**
	 * Components to exclude.
	 * @return filters
	 */
	ComponentScan.Filter[] excludeFilters() default {};

	/**
	 * Auto-configuration to exclude.
	 * @return classes
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
