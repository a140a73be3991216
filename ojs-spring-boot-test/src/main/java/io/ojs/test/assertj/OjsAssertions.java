package io.ojs.test.assertj;

import io.ojs.client.OjsOperations;
import io.ojs.test.jobs.DrainResult;

/**
 * Where assertions about jobs begin. Made to be imported statically, beside those of
 * AssertJ.
 */
public final class OjsAssertions {

	private OjsAssertions() {
	}

	/**
	 * Asserts what was enqueued.
	 * @param ojs what the test's context has injected
	 * @return assertions
	 */
	public static JobsAssert assertThat(OjsOperations ojs) {
		return new JobsAssert(ojs);
	}

	/**
	 * Asserts what came of jobs.
	 * @param result what {@code drain} returned
	 * @return assertions
	 */
	public static DrainResultAssert assertThat(DrainResult result) {
		return new DrainResultAssert(result);
	}

}
