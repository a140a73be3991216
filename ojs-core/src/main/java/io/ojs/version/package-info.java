/**
 * Versions of jobs: which processes work which.
 */
@NullMarked
package io.ojs.version;

import org.jspecify.annotations.NullMarked;
