package io.ojs.amqp.internal.listen;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.Channel;
import io.ojs.amqp.internal.observe.ConsumerMetrics;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Which number a consumer has.
 */
class ConsumerMeterTests {

	private final List<String> told = new ArrayList<>();

	private final ConsumerMeter ofTwo = new ConsumerMeter(new ConsumerMetrics() {

		@Override
		public void begin(int consumer, Channel channel) {
			ConsumerMeterTests.this.told.add("begin " + consumer);
		}

		@Override
		public void acked() {
			ConsumerMeterTests.this.told.add("acked");
		}

		@Override
		public void nacked() {
			ConsumerMeterTests.this.told.add("nacked");
		}

		@Override
		public void end(int consumer) {
			ConsumerMeterTests.this.told.add("end " + consumer);
		}

	}, 2);

	@Test
	void consumerKeepsItsNumberFromMessageToMessage() throws Exception {
		Channel first = channel();
		Channel second = channel();
		work(first, () -> work(second, () -> {
		}));
		work(second, () -> {
		});
		work(first, () -> {
		});
		assertThat(this.told).containsExactly("begin 0", "begin 1", "end 1", "end 0", "begin 1", "end 1", "begin 0",
				"end 0");
	}

	@Test
	void numberOfTheOneThatIsGoneIsGivenToTheNext() throws Exception {
		work(channel(), () -> {
		});
		Channel second = channel();
		work(second, () -> {
		});
		this.told.clear();
		for (int reconnect = 0; reconnect < 50; reconnect++) {
			work(channel(), () -> {
			});
		}
		assertThat(this.told).containsOnly("begin 0", "end 0", "begin 1", "end 1");
	}

	@Test
	void numberOfOneThatIsAtWorkIsNotGivenAway() throws Exception {
		work(channel(), () -> work(channel(), () -> work(channel(), () -> {
		})));
		assertThat(this.told).containsExactly("begin 0", "begin 1", "begin 2", "end 2", "end 1", "end 0");
	}

	@Test
	void messageThatFailsIsNoLongerInHand() {
		assertThatIllegalStateException().isThrownBy(() -> work(channel(), () -> {
			throw new IllegalStateException("no luck");
		}));
		assertThat(this.told).containsExactly("begin 0", "end 0");
	}

	private void work(Channel channel, Work work) throws Exception {
		this.ofTwo.around((message, consumer) -> work.run()).onMessage(new Message(new byte[0]), channel);
	}

	private static Channel channel() {
		return (Channel) Proxy.newProxyInstance(Channel.class.getClassLoader(), new Class<?>[] { Channel.class },
				(proxy, method, arguments) -> {
					throw new UnsupportedOperationException(method.getName());
				});
	}

	private interface Work {

		void run() throws Exception;

	}

}
