/**
 * Contracts of queues, for people and other programs to read.
 */
@NullMarked
package io.ojs.amqp.contract;

import org.jspecify.annotations.NullMarked;
