package io.ojs.boot.slice;

import io.ojs.test.boot.OjsTest;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that do not start, and tests that start together.
 */
@ExtendWith(OutputCaptureExtension.class)
class SliceStartTests {

	private static ApplicationContext start(Class<?> test) {
		return new TestContextManager(test).getTestContext().getApplicationContext();
	}

	@Test
	void aClassThatIsNoComponentIsNamed() {
		assertThatThrownBy(() -> start(OfNoComponent.class)).rootCause()
			.hasMessageStartingWith("@OjsTest names %s, and there is no bean of it.".formatted(Tour.class.getName()))
			.hasMessageContaining("@Import");
	}

	@Test
	void aTestOfJobsThatAreTurnedOffSaysSo() {
		assertThatThrownBy(() -> start(TurnedOff.class)).rootCause()
			.hasMessageContaining("properties = \"ojs.enabled=true\"");
	}

	@Test
	void whoWantsWhatIsLeftOutIsToldToMockIt(CapturedOutput output) {
		assertThatThrownBy(() -> start(WantsWorkflows.class))
			.hasRootCauseInstanceOf(NoSuchBeanDefinitionException.class);
		assertThat(output).contains("jobs are kept in memory by @AutoConfigureOjsTest or @OjsTest")
			.contains("@MockitoBean Workflows workflows")
			.doesNotContain("DataSource");
	}

	@Test
	void testsOfTheSameClassesHaveOneContext() {
		assertThat(start(OneTest.class)).isSameAs(start(AnotherTest.class)).isNotSameAs(start(OtherTest.class));
	}

	static class Tour {

		Tour(Workflows workflows) {
			workflows.hashCode();
		}

	}

	@OjsTest({ Shop.Shipping.class, Tour.class })
	static class OfNoComponent {

	}

	@OjsTest(properties = "ojs.enabled=false")
	static class TurnedOff {

	}

	@OjsTest(Shop.Shipping.class)
	@Import(Tour.class)
	static class WantsWorkflows {

	}

	@OjsTest(Shop.Shipping.class)
	static class OneTest {

	}

	@OjsTest(handlers = Shop.Shipping.class)
	static class AnotherTest {

	}

	@OjsTest(Shop.Diary.class)
	static class OtherTest {

	}

}
