package io.ojs.test.broker;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Gives an application context a RabbitMQ: {@link RabbitBroker#shared() this JVM's}, with
 * a new virtual host that is deleted after the context has closed.
 * <p>
 * In a test, which can also inject the {@link VirtualHost}:
 *
 * <pre>
 * &#64;SpringBootTest
 * &#64;Import(LocalBroker.class)
 * class OrderJobsTests {
 * }
 * </pre>
 * <p>
 * To run an application where no broker is installed:
 *
 * <pre>{@code
 * SpringApplication.from(ShopApplication::main).with(LocalBroker.class).run(args);
 * }</pre>
 * <p>
 * It sets {@code spring.rabbitmq.host}, {@code .port}, {@code .username},
 * {@code .password} and {@code .virtual-host}. If {@code spring.rabbitmq.host},
 * {@code .port} or {@code .addresses} is configured in any property source, the
 * application uses that broker: this class starts and sets nothing and logs that, and
 * there is no {@link VirtualHost} to inject.
 */
@Configuration(proxyBeanMethods = false)
@Import(LocalBrokerRegistrar.class)
public class LocalBroker {

}
