/**
 * In which order the jobs of a queue run.
 */
@NullMarked
package io.ojs.amqp.order;

import org.jspecify.annotations.NullMarked;
