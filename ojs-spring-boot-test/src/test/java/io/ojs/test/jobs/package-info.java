@NullMarked
package io.ojs.test.jobs;

import org.jspecify.annotations.NullMarked;
