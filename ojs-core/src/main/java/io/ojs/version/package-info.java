/**
 * Versions of jobs: which processes can run which versions.
 */
@NullMarked
package io.ojs.version;

import org.jspecify.annotations.NullMarked;
