/**
 * Auto-configuration of workers that fetch jobs over HTTP.
 */
@NullMarked
package io.ojs.boot.worker;

import org.jspecify.annotations.NullMarked;
