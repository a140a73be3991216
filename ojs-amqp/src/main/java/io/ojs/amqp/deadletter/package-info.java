/**
 * Dead letters: which of them are meant, and how they get back to work.
 */
@NullMarked
package io.ojs.amqp.deadletter;

import org.jspecify.annotations.NullMarked;
