/**
 * The order in which the jobs of a queue run.
 */
@NullMarked
package io.ojs.amqp.order;

import org.jspecify.annotations.NullMarked;
