package io.ojs.benchmark.contender;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** An application that only enqueues. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ProducerApplication {

}
