/**
 * Attempts of stored jobs: workers claim jobs, hold leases on them and record their
 * outcomes.
 */
@NullMarked
package io.ojs.store.attempt;

import org.jspecify.annotations.NullMarked;
