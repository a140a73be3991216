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

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Keeps the jobs of an application in memory: {@link TestJobs} replaces
 * {@code OjsOperations}, and {@link SettableClock} is the clock. All other
 * auto-configuration of this library is excluded: worker, job store, HTTP API, endpoints.
 * For a test of the whole application, together with {@code @SpringBootTest};
 * {@link OjsTest} includes it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping(OjsTestImportFilter.PREFIX)
public @interface AutoConfigureOjsTest {

	/**
	 * When an enqueued job runs.
	 * @return kept until the test runs it, or run at once
	 */
	TestMode mode() default TestMode.FAKE;

}
