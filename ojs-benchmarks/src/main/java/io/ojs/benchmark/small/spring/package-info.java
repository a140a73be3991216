/** The smallest application with plain Spring AMQP. */
@NullMarked
package io.ojs.benchmark.small.spring;

import org.jspecify.annotations.NullMarked;
