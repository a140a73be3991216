/**
 * The connections to the broker: noticing that one is lost, and getting it back (AMQP
 * binding §11.3).
 */
@NullMarked
package io.ojs.amqp.connect;

import org.jspecify.annotations.NullMarked;
