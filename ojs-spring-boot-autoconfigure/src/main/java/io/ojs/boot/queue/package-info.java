/**
 * Auto-configuration of queues that operators create and change.
 */
@NullMarked
package io.ojs.boot.queue;

import org.jspecify.annotations.NullMarked;
