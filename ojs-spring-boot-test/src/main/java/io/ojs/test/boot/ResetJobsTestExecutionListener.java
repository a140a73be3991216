package io.ojs.test.boot;

import io.ojs.test.jobs.TestJobs;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Has each test method begin without jobs, and with the clock at the present.
 */
final class ResetJobsTestExecutionListener implements TestExecutionListener, Ordered {

	/** Before those that prepare data for the test. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE + 1000;
	}

	@Override
	public void beforeTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext()) {
			ApplicationContext context = testContext.getApplicationContext();
			context.getBeanProvider(TestJobs.class, false).ifAvailable(TestJobs::reset);
		}
	}

}
