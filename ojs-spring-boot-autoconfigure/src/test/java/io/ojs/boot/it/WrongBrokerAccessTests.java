package io.ojs.boot.it;

import io.ojs.amqp.BrokerUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application with a wrong password or virtual host starts, and its log names the
 * property to check.
 */
@ExtendWith(OutputCaptureExtension.class)
class WrongBrokerAccessTests extends BrokerTest {

	@Test
	void passwordThatIsWrong(CapturedOutput output) {
		assertLogged(uri().replaceFirst(":[^:@/]*@", ":wrong@"), output,
				"check spring.rabbitmq.username and spring.rabbitmq.password");
	}

	@Test
	void virtualHostThatDoesNotExist(CapturedOutput output) {
		assertLogged(uri() + "-missing", output, "check spring.rabbitmq.virtual-host");
	}

	private static void assertLogged(String uri, CapturedOutput output, String fix) {
		try (Application application = Application.on(uri).start()) {
			assertThatExceptionOfType(BrokerUnavailableException.class)
				.isThrownBy(() -> application.ojs().enqueue("email.send"))
				.withMessageContaining(fix);
			assertThat(output).contains("could not be opened (attempt 1)", fix);
		}
	}

}
