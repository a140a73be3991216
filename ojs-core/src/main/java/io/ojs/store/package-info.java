/**
 * Jobs in the job store, and its errors.
 */
@NullMarked
package io.ojs.store;

import org.jspecify.annotations.NullMarked;
