/**
 * The order in which the jobs of a queue run. Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.order;

import org.jspecify.annotations.NullMarked;
