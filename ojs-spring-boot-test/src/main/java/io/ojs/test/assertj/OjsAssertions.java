package io.ojs.test.assertj;

import io.ojs.client.OjsOperations;
import io.ojs.test.jobs.DrainResult;

/**
 * Entry point of assertions about jobs, for static imports beside those of AssertJ.
 */
public final class OjsAssertions {

	private OjsAssertions() {
	}

	/**
	 * Begins assertions about enqueued jobs.
	 * @param ojs the operations that the test's context has injected
	 * @return assertions
	 */
	public static JobsAssert assertThat(OjsOperations ojs) {
		return new JobsAssert(ojs);
	}

	/**
	 * Begins assertions about the results of jobs that ran.
	 * @param result the result of {@code drain}
	 * @return assertions
	 */
	public static DrainResultAssert assertThat(DrainResult result) {
		return new DrainResultAssert(result);
	}

}
