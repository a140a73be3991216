/**
 * Whole applications against a real RabbitMQ, watched from outside by a client that knows
 * nothing of this library.
 */
@NullMarked
package io.ojs.boot.it;

import org.jspecify.annotations.NullMarked;
