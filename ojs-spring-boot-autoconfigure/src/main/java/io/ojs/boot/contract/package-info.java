/**
 * Auto-configuration of the pages that document queues.
 */
@NullMarked
package io.ojs.boot.contract;

import org.jspecify.annotations.NullMarked;
