/**
 * Auto-configuration of the job store and its work in the background.
 */
@NullMarked
package io.ojs.boot.store;

import org.jspecify.annotations.NullMarked;
