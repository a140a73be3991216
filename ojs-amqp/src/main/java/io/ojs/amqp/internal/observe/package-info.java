/**
 * Metrics and other information for operators (AMQP binding §12.1). Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.observe;

import org.jspecify.annotations.NullMarked;
