package io.ojs.test.boot;

import io.ojs.test.jobs.TestJobs;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Deletes all jobs and sets the clock to the present time before each test method.
 */
final class ResetJobsTestExecutionListener implements TestExecutionListener, Ordered {

	/** Runs before listeners that prepare data for the test. */
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
