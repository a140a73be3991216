package io.ojs.test.assertj;

import java.lang.reflect.Proxy;

import io.ojs.client.OjsOperations;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Assertions about what cannot be looked into.
 */
class OjsAssertionsTests {

	@Test
	void whatKeepsNoJobsIsRefused() {
		OjsOperations other = (OjsOperations) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OjsOperations.class }, (proxy, method, args) -> null);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> OjsAssertions.assertThat(other).hasEnqueuedNothing())
			.withMessageContaining("have the TestJobs of @OjsTest or @AutoConfigureOjsTest injected");
	}

}
