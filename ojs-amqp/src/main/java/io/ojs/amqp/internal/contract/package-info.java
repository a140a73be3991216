/**
 * Contracts of queues, for people and other programs to read. Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.contract;

import org.jspecify.annotations.NullMarked;
