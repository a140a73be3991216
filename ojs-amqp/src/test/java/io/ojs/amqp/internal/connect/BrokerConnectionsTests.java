package io.ojs.amqp.internal.connect;

import java.net.Socket;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;

import com.rabbitmq.client.ConnectionFactory;
import io.ojs.amqp.internal.write.CoalescingSocketFactory;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whose sockets the connections of an application have.
 */
class BrokerConnectionsTests {

	private final ConnectionFactory factory = new ConnectionFactory();

	@Test
	void plainSocketsBecomeSomeThatWriteTogether() throws Exception {
		open();
		assertThat(this.factory.getSocketFactory()).isInstanceOf(CoalescingSocketFactory.class);
		try (Socket socket = this.factory.getSocketFactory().createSocket()) {
			assertThat(socket.isConnected()).isFalse();
			assertThat(socket.isBound()).isFalse();
		}
	}

	@Test
	void thoseForTlsStayAsTheyAre() throws NoSuchAlgorithmException {
		this.factory.useSslProtocol(SSLContext.getDefault());
		SocketFactory before = this.factory.getSocketFactory();
		open();
		assertThat(this.factory.getSocketFactory()).isSameAs(before);
		assertThat(this.factory.isSSL()).isTrue();
	}

	@Test
	void thoseOfAFactoryOfTlsContextsStayAsTheyAre() throws NoSuchAlgorithmException {
		SSLContext context = SSLContext.getDefault();
		this.factory.setSslContextFactory((name) -> context);
		SocketFactory before = this.factory.getSocketFactory();
		open();
		assertThat(this.factory.isSSL()).isTrue();
		assertThat(this.factory.getSocketFactory()).isSameAs(before);
	}

	@Test
	void thoseOfTheApplicationStayAsTheyAre() {
		SocketFactory own = new CoalescingSocketFactory();
		this.factory.setSocketFactory(own);
		open();
		assertThat(this.factory.getSocketFactory()).isSameAs(own);
	}

	private void open() {
		CachingConnectionFactory connectionFactory = new CachingConnectionFactory(this.factory);
		new BrokerConnections(connectionFactory, new ReconnectBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0),
				new ConnectionEvents(List.of()), Clock.systemUTC())
			.close();
		connectionFactory.destroy();
	}

}
