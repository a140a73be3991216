package io.ojs.test;

import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Gives an application context a RabbitMQ: {@link RabbitBroker#shared() this JVM's}, in a
 * fresh virtual host that is deleted when the context has closed.
 * <p>
 * For a test, which can also inject the {@link VirtualHost}: <pre>{@code
 * &#64;SpringBootTest
 *

&#64;Import(LocalBroker.class)
 * class OrderJobsTests { … }
 * }</pre> and for running an application where no broker is installed: <pre>{@code
 * SpringApplication.from(ShopApplication::main).with(LocalBroker.class).run(args);
 * }</pre>
 * <p>
 * It sets {@code spring.rabbitmq.host}, {@code .port}, {@code .username},
 * {@code .password} and {@code .virtual-host}. If {@code spring.rabbitmq.host},
 * {@code .port} or {@code .addresses} is configured, by whatever means, that broker is
 * used: nothing is started or set then, which a line in the log says, and there is no
 * {@link VirtualHost} to inject.
 */
@Configuration(proxyBeanMethods = false)
@Import(LocalBrokerRegistrar.class)
public class LocalBroker {

}
