/**
 * What an operator sees: meters (AMQP binding §12.1).
 */
@NullMarked
package io.ojs.amqp.observe;

import org.jspecify.annotations.NullMarked;
