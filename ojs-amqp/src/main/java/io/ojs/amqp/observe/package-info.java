/**
 * Metrics and other information for operators (AMQP binding §12.1).
 */
@NullMarked
package io.ojs.amqp.observe;

import org.jspecify.annotations.NullMarked;
